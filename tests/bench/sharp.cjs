// Encodes and decodes images with sharp on one thread, and prints the CPU time.
//
//   node sharp.cjs prepare SOURCE TARGET               an upright PNG in sRGB without transparency
//   node sharp.cjs encode SOURCE KIND QUALITIES BEGIN  one file per quality; prints bytes and CPU seconds of each as JSON
//   node sharp.cjs decode FILE...                      writes FILE.png next to each

const fs = require("node:fs");
const sharp = require("sharp");

sharp.concurrency(1);
sharp.cache(false);

const plain = (source) => sharp(source).rotate().removeAlpha().toColourspace("srgb");

const KINDS = {
  jpeg: (image, quality) => image.jpeg({ quality, mozjpeg: true }),
  webp: (image, quality) => image.webp({ quality }),
  avif: (image, quality) => image.avif({ quality }),
  png: (image) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
};

async function encode(source, kind, qualities, begin) {
  const made = [];
  for (const quality of qualities.split(",").map(Number)) {
    const before = process.cpuUsage();
    const bytes = await KINDS[kind](sharp(source), quality).toBuffer();
    const { user, system } = process.cpuUsage(before);
    const file = `${begin}.${quality}.${kind}`;
    fs.writeFileSync(file, bytes);
    made.push({ file, bytes: bytes.length, seconds: (user + system) / 1e6 });
  }
  console.log(JSON.stringify(made));
}

async function main([work, ...rest]) {
  if (work === "prepare") await plain(rest[0]).png({ compressionLevel: 1 }).toFile(rest[1]);
  else if (work === "encode") await encode(...rest);
  else for (const file of rest) await plain(file).png({ compressionLevel: 1 }).toFile(`${file}.png`);
}

main(process.argv.slice(2));
