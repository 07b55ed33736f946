/** Cleans texts with the plugin's JavaScript: stdin {"privacy": FILE, "texts": […]}, stdout [{"stripped", "cleaned"}, …]. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { privacy, texts } = JSON.parse(readFileSync(0, "utf8"));
const { stripPrivate, cleanText } = await import(pathToFileURL(privacy));
process.stdout.write(JSON.stringify(texts.map((text) => ({ stripped: stripPrivate(text), cleaned: cleanText(text) }))));
