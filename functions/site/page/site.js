// The live conversion of the public page.
const form = document.getElementById("sandbox");
const format = document.getElementById("sandbox-format");
const button = form.querySelector("button");
const status = document.getElementById("sandbox-status");
const result = document.getElementById("sandbox-result");
const download = document.getElementById("sandbox-download");
const token = document.querySelector('meta[name="sandbox-token"]').content;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  result.hidden = true;
  status.textContent = "Converting …";
  try {
    await convert(format.value);
  } catch (error) {
    status.textContent = error.message;
  } finally {
    button.disabled = false;
  }
});

async function convert(target) {
  const began = performance.now();
  const answer = await fetch("/api/v1/sandbox/convert", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Sandbox-Token": token },
    body: JSON.stringify({ format: target }),
  });
  if (!answer.ok) {
    throw new Error(await reason(answer));
  }
  const file = await answer.blob();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  URL.revokeObjectURL(download.href);
  download.href = URL.createObjectURL(file);
  download.download = `octavo.${extension(target, file.type)}`;
  result.hidden = false;
  status.textContent = `Done in ${seconds} s: ${file.type}, ${file.size} bytes.`;
}

async function reason(answer) {
  if (answer.status === 403) {
    return "This page has been open for long. Load it again and try once more.";
  }
  if (answer.status === 429) {
    return "That was a lot at once. Try again in a minute.";
  }
  const problem = await answer.json().catch(() => ({}));
  return problem.detail || "The conversion failed.";
}

function extension(target, type) {
  return type === "application/zip" ? "zip" : target;
}
