// All but line feeds and tabs. Bidirectional marks are included: they can make a line display
// differently from what it contains.
const unsafe =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** Replaces control characters and bidirectional marks, so that text cannot control a terminal. */
export function printable(text: string): string {
  return text.replaceAll(unsafe, '\uFFFD')
}
