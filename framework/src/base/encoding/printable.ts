// Line ends and tabs stay. Marks that turn the direction of writing are out as well: they can make
// a line read differently from what it is.
const steering =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** The text without the characters that could steer a terminal. */
export function printable(text: string): string {
  return text.replaceAll(steering, '\uFFFD')
}
