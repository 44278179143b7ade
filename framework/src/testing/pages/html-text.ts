const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** Text of HTML without entities: `&amp;` is `&`. */
export function decodeEntities(html: string): string {
  const decode = (whole: string, decimal?: string, hex?: string, name: string = ''): string => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return entities[name] ?? whole
  }
  return html.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, decode)
}

/** What a visitor reads of HTML: without tags, and with single spaces. */
export function htmlText(html: string): string {
  return decodeEntities(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}
