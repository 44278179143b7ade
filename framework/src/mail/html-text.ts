import { parse } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/**
 * The HTML of a mail as plain text: one line a paragraph, which mail clients wrap. The address of a link follows on
 * a line of its own, and `pre` is indented by four spaces. What is hidden is left out, and so is what is marked with
 * `data-html-only`; what is marked with `data-signature` comes after `-- `.
 */
export function htmlText(html: string): string {
  const lines = new Lines()
  write(parse(html, { scriptingEnabled: false }), lines)
  lines.end()
  return lines.text
}

/** Elements with an empty line before and after them. */
const apart = wordsOf('blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table tr ul')
/** Elements that begin and end a line. */
const blocks = wordsOf(`address article aside caption center dd div dt figcaption footer header li
  main nav section`)
/** With its space, by which mail clients recognize it. */
const signature = '-- '
const leftOut = wordsOf('head script style template title')

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

function write(node: Node, lines: Lines): void {
  if ('value' in node) return lines.add(node.value)
  if (!('childNodes' in node)) return
  if (!('tagName' in node)) return writeAll(node.childNodes, lines)
  const { tagName } = node
  if (isLeftOut(node)) return
  if (apart.has(tagName)) lines.skip()
  else if (blocks.has(tagName)) lines.end()
  writeElement(node, lines)
  if (apart.has(tagName)) lines.skip()
  else if (blocks.has(tagName)) lines.end()
}

function writeElement(element: Element, lines: Lines): void {
  const { tagName, childNodes } = element
  const inside = (): void => writeAll(childNodes, lines)
  if (attribute(element, 'data-signature') !== null) return lines.sign(inside)
  if (tagName === 'br') return lines.break()
  if (tagName === 'img') return lines.add(attribute(element, 'alt') ?? '')
  if (tagName === 'a') return writeLink(element, lines)
  if (tagName === 'h1') return lines.underline(inside)
  if (tagName === 'pre') return lines.indent('    ', '    ', () => lines.keepSpaces(inside))
  if (tagName === 'blockquote') return lines.indent('> ', '> ', inside)
  if (tagName === 'li') return lines.indent('- ', '  ', inside)
  // Cells of a row; those before a block end their line anyway.
  if (tagName === 'td' || tagName === 'th') lines.add(' ')
  inside()
}

function writeLink(link: Element, lines: Lines): void {
  const address = (attribute(link, 'href') ?? '').trim().replace(/^mailto:/i, '')
  if (address === '' || address.startsWith('#')) return writeAll(link.childNodes, lines)
  if (textOf(link).trim() === address) return lines.addAddress(address)
  writeAll(link.childNodes, lines)
  lines.addLater(address)
}

function writeAll(nodes: readonly Node[], lines: Lines): void {
  for (const node of nodes) write(node, lines)
}

function isLeftOut(element: Element): boolean {
  return (
    leftOut.has(element.tagName) ||
    attribute(element, 'data-html-only') !== null ||
    attribute(element, 'hidden') !== null ||
    /(?:^|;)\s*display\s*:\s*none/i.test(attribute(element, 'style') ?? '')
  )
}

function attribute({ attrs }: Element, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null
}

function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

/** The lines of a text, and the one that is being written. */
class Lines {
  readonly #lines: string[] = []
  #line = ''
  /** What the next line begins with, and those after it. */
  #first = ''
  #rest = ''
  #keepsSpaces = false
  #isApart = false
  /** Of links in this line. */
  #addresses: string[] = []
  /** The last one that was written. */
  #address: string | null = null

  get text(): string {
    return this.#lines.join('\n')
  }

  add(text: string): void {
    if (this.#keepsSpaces) return this.#addPieces(text.split('\n'))
    // Only what HTML collapses: a no-break space stays.
    const collapsed = text.replaceAll(/[ \t\n\f\r]+/g, ' ')
    const isAfterSpace = this.#line === '' || this.#line.endsWith(' ')
    this.#line += isAfterSpace ? collapsed.replace(/^ /, '') : collapsed
  }

  /** An address that is in the text, unless it is what was written last. */
  addAddress(address: string): void {
    const isRepeated = this.#lines.at(-1) === this.#rest + address
    if (isRepeated && this.#line === '' && this.#addresses.length === 0) return
    this.add(address)
    this.#address = address
  }

  /** An address for a line of its own, after this one. */
  addLater(address: string): void {
    this.#addresses.push(address)
    if (this.#line === '') this.end()
  }

  end(underline: string = ''): void {
    const line = this.#line.replace(/ +$/, '')
    if (line !== '') this.#push(line)
    if (line !== '' && underline !== '') this.#push(underline.repeat(line.length))
    this.#line = ''
    for (const address of this.#addresses) {
      if (address !== this.#address) this.#push(address)
      this.#address = address
    }
    this.#addresses = []
  }

  /** Ends the line; a second time leaves one empty. */
  break(): void {
    if (this.#line === '') this.#isApart = true
    this.end()
  }

  /** Ends the line, and leaves one empty before the next. */
  skip(): void {
    this.end()
    this.#isApart = this.#lines.at(-1) !== signature
  }

  underline(write: () => void): void {
    write()
    this.end('=')
  }

  sign(write: () => void): void {
    this.skip()
    this.#push(signature)
    write()
    this.end()
  }

  indent(first: string, rest: string, write: () => void): void {
    const outer = this.#rest
    this.#first += first
    this.#rest += rest
    write()
    this.end()
    this.#first = outer
    this.#rest = outer
  }

  keepSpaces(write: () => void): void {
    this.#keepsSpaces = true
    write()
    this.#keepsSpaces = false
  }

  #addPieces(pieces: readonly string[]): void {
    for (const [nth, piece] of pieces.entries()) {
      if (nth > 0) this.break()
      this.#line += piece
    }
  }

  #push(line: string): void {
    if (this.#isApart && this.#lines.length > 0) this.#lines.push('')
    this.#lines.push(this.#first + line)
    this.#first = this.#rest
    this.#isApart = false
  }
}
