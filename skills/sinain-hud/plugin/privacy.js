/**
 * What may be stored of a message: no <private> block, no well-known secret.  [sinain §3.6]
 *
 * Runs inside synchronous hooks that freeze the whole gateway: no process, no file, time linear in the text.
 * Private blocks are those of koog/core/untrusted.py; secrets are a part of what koog/core/secret_scan.py finds,
 * the kinds that no ordinary line holds. tests/host/test_plugin.py compares both with Python.
 */

// --- private blocks

// Python's idea of a blank, of a word's letters and of upper case; JavaScript's differ in a few characters.
const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*";
const NAME = "[pP][rR][iI\\u0130\\u0131][vV][aA][tT][eE](?![\\p{L}\\p{N}_:-])";
const TAG = new RegExp(`<${BLANK}(?:(/)${BLANK})?${NAME}[^<>]*>?`, "gu");
const ROUNDS = 4; // taking a tag out can put another together; who nests that deeper attacks

/**
 * Return the text without its private blocks, their line breaks kept.
 * Depth is counted, unclosed means to the end, a closing tag too many is removed.
 *
 * @param {string} text
 * @returns {string}
 */
export function stripPrivate(text) {
  return strip(text, 0).text;
}

/**
 * Strip until nothing is found; `depth` is how many blocks are open where the text begins, and then where it ends.
 *
 * @param {string} text
 * @param {number} depth
 */
function strip(text, depth) {
  for (let round = 0; round < ROUNDS; round++) {
    if (depth === 0 && !hasTag(text)) return { text, depth };
    const next = withoutPrivate(text, depth);
    if (!hasTag(next.text)) return next;
    ({ text, depth } = { text: next.text, depth: 0 }); // what a new tag hides is in the text that is left
  }
  return { text: text.replace(TAG, (tag) => tag.replaceAll("<", "‹")), depth: 0 };
}

/** @param {string} text */
function hasTag(text) {
  return text.includes("<") && text.search(TAG) >= 0;
}

/** One round: take out the blocks that stand in the text as it is. @param {string} text @param {number} depth */
function withoutPrivate(text, depth) {
  let out = "";
  let last = 0;
  for (const tag of text.matchAll(TAG)) {
    const before = text.slice(last, tag.index);
    out += (depth > 0 ? lineBreaks(before) : before) + lineBreaks(tag[0]);
    depth = tag[1] ? Math.max(0, depth - 1) : depth + 1;
    last = tag.index + tag[0].length;
  }
  const rest = text.slice(last);
  return { text: out + (depth > 0 ? lineBreaks(rest) : rest), depth };
}

/** @param {string} text */
function lineBreaks(text) {
  return text.includes("\n") ? text.match(/\r?\n/g).join("") : "";
}

// --- secrets

const WORD_START = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt])|(?<=%[0-9A-F]{2}))";

/** @type {[kind: string, parts: string[], shape: string][]} kind, what one of them is always in the text, shape */
const SHAPES = [
  ["anthropic", ["sk-ant-"], "sk-ant-[\\w-]{20,}"],
  ["openrouter", ["sk-or-"], "sk-or-[\\w-]{20,}"],
  ["openai", ["sk-"], "sk-(?:proj-|svcacct-|admin-)[\\w-]{20,}|sk-[A-Za-z0-9]{20,}"],
  ["groq", ["gsk_"], "gsk_[A-Za-z0-9]{40,}"],
  ["xai", ["xai-"], "xai-[A-Za-z0-9]{60,}"],
  ["huggingface", ["hf_"], "hf_[A-Za-z0-9]{30,}"],
  ["github", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9_]{30,}"],
  ["github", ["github_pat_"], "github_pat_[A-Za-z0-9_]{22,}"],
  ["gitlab", ["glpat-"], "glpat-[\\w-]{20,}(?:\\.[a-z0-9]{2}\\.[a-z0-9]{9})?"],
  ["slack", ["xox"], "xox[abeoprs]-[A-Za-z0-9-]{10,}"],
  ["slack", ["xapp-"], "xapp-\\d-[A-Za-z0-9-]{10,}"],
  ["aws", ["AKIA", "ASIA"], "(?:AKIA|ASIA)[A-Z0-9]{16}(?![\\w/+])"],
  ["google", ["AIza"], "AIza[\\w-]{35,}"],
  ["google-oauth", ["GOCSPX-"], "GOCSPX-[\\w-]{20,}"],
  ["stripe", ["k_live_", "k_test_"], "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"],
  ["sendgrid", ["SG."], "SG\\.[\\w-]{16,}\\.[\\w-]{16,}"],
  ["npm", ["npm_"], "npm_[A-Za-z0-9]{36,}"],
  ["pypi", ["pypi-"], "pypi-Ag[\\w-]{40,}"],
  ["digitalocean", ["_v1_"], "do[opr]_v1_[0-9a-f]{40,}"],
  // Only where a whole word begins: a run of "-eyJ-eyJ…" is then read once, not once for each of them.
  ["jwt", ["eyJ"], "(?:(?<![\\w-])|(?<=\\\\[nrt]|%[0-9A-F]{2}))eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}"],
];

const SECRETS = SHAPES.map(([kind, parts, shape]) => ({
  parts,
  mark: `[redacted:${kind}]`,
  pattern: new RegExp(`${WORD_START}(?:${shape})[A-Za-z0-9_-]*`, "g"),
}));

const KEY_NAME = "(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?";
const KEY_BEGIN = new RegExp(`-----BEGIN ${KEY_NAME}-----`, "g");
const KEY_END = new RegExp(`-----END ${KEY_NAME}-----`);
const KEY_LONGEST = 64 * 1024; // characters; two markers further apart are two mentions, not one key

/**
 * Return the text with each well-known secret replaced by "[redacted:kind]"; no line break is lost.
 *
 * @param {string} text
 * @returns {string}
 */
export function redactSecrets(text) {
  for (const { parts, mark, pattern } of SECRETS) {
    if (parts.some((part) => text.includes(part))) {
      text = text.replace(pattern, (token) => (isFilledUp(token) ? token : mark));
    }
  }
  return text.includes("PRIVATE KEY-----") || text.includes("PRIVATE KEY BLOCK-----") ? withoutKeys(text) : text;
}

/** @param {string} text */
function withoutKeys(text) {
  const begins = [...text.matchAll(KEY_BEGIN)];
  let out = "";
  let last = 0;
  begins.forEach((begin, i) => {
    const from = begin.index + begin[0].length;
    const limit = Math.min(begins[i + 1]?.index ?? text.length, from + KEY_LONGEST);
    const end = KEY_END.exec(text.slice(from, limit));
    if (!end) return; // a mention, or a key cut off: koog's own scan decides
    const to = from + end.index + end[0].length;
    out += `${text.slice(last, begin.index)}[redacted:private-key]${lineBreaks(text.slice(begin.index, to))}`;
    last = to;
  });
  return out + text.slice(last);
}

/** Is most of this one letter, as people write in place of a secret: ghp_xxxxxxxxxxxx? @param {string} value */
function isFilledUp(value) {
  const run = /([xX0*.•_-])\1{5,}/.exec(value);
  return run !== null && 2 * run[0].length >= value.length;
}

// --- messages

/**
 * Return what may be stored of a text.
 *
 * @param {string} text
 * @returns {string}
 */
export function cleanText(text) {
  return redactSecrets(stripPrivate(text));
}

// A provider signs its thinking and refuses it when a letter was changed; an image is no text.
const LEFT_ALONE = new Set(["thinking", "thinkingSignature", "textSignature", "thoughtSignature"]);
const DEEPEST = 64; // levels of nested values; what lies below is dropped rather than stored unread

/**
 * Return what may be stored of a message, the very same object when there was nothing to take out.
 * Reads content (a text, or blocks), a tool call's arguments and a tool result's details alike.
 *
 * @template T
 * @param {T} message
 * @returns {T}
 */
export function cleanMessage(message) {
  return cleanValue(message, 0);
}

/** @param {any} value @param {number} level */
function cleanValue(value, level) {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return value;
  if (level >= DEEPEST) return null;
  return Array.isArray(value) ? cleanArray(value, level + 1) : cleanObject(value, level + 1);
}

/** A private block that one text block opens goes on in the next. @param {any[]} values @param {number} level */
function cleanArray(values, level) {
  let depth = 0;
  let changed = false;
  const cleaned = values.map((value) => {
    let kept;
    if (value?.type === "text" && typeof value.text === "string") {
      const stripped = strip(value.text, depth);
      const text = redactSecrets(stripped.text);
      depth = stripped.depth;
      kept = text === value.text ? value : { ...value, text };
    } else {
      kept = cleanValue(value, level);
    }
    changed ||= kept !== value;
    return kept;
  });
  return changed ? cleaned : values;
}

/** @param {Record<string, any>} values @param {number} level */
function cleanObject(values, level) {
  if (values.type === "image") return values;
  let changed = null;
  for (const [name, value] of Object.entries(values)) {
    const kept = LEFT_ALONE.has(name) ? value : cleanValue(value, level);
    if (kept !== value) (changed ??= { ...values })[name] = kept;
  }
  return changed ?? values;
}
