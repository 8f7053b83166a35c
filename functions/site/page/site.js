// Converts the sample document on the home page.
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
  const start = performance.now();
  const response = await fetch("/api/v1/sandbox/convert", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Sandbox-Token": token },
    body: JSON.stringify({ format: target }),
  });
  if (!response.ok) {
    throw new Error(await reason(response));
  }
  const file = await response.blob();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  URL.revokeObjectURL(download.href);
  download.href = URL.createObjectURL(file);
  download.download = `octavo.${extension(target, file.type)}`;
  result.hidden = false;
  status.textContent = `Done in ${seconds} s: ${file.type}, ${file.size} bytes.`;
}

async function reason(response) {
  if (response.status === 403) {
    return "The page has expired. Reload it and try again.";
  }
  if (response.status === 429) {
    return "The rate limit is exceeded. Try again in a minute.";
  }
  const problem = await response.json().catch(() => ({}));
  return problem.detail || "The conversion failed.";
}

function extension(target, type) {
  return type === "application/zip" ? "zip" : target;
}
