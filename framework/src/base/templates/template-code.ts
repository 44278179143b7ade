import { Eta } from 'eta/core'

/** What a view name a template mentions literally is, and the line it is on. */
export interface TemplateReference {
  readonly name: string
  readonly line: number
}

/** A template as JavaScript, with the way back from its lines to the template's. */
export interface TemplateCode {
  /** Body of a function with the parameters `TEMPLATE_PARAMETERS`. */
  readonly code: string
  /** Template line of a line of `code` (from 1), or null where only our own frame stands. */
  lineOf(generated: number): number | null
  readonly references: readonly TemplateReference[]
}

/** Names of the arguments that generated code takes, in order. */
export const TEMPLATE_PARAMETERS: readonly string[] = ['it', '__views', '__self', '__blocks']

// The parser is Eta's; the code made of what it finds is ours: it maps lines without a cost at run
// time, makes only the closures a template uses, and keeps blocks out of `it`, where data that
// comes from a request could replace them with raw HTML.
const eta = new Eta()
// In plain text the line break after a printed value counts; that after a statement is ours to drop.
const plainEta = new Eta({ autoTrim: false })

/**
 * Translates a template's source (with `\n` line ends) to JavaScript. One for plain text keeps the
 * line break after a printed value.
 * @throws EtaParseError when a tag, string or comment is not closed.
 */
export function templateCode(source: string, plain = false): TemplateCode {
  const tags: Tag[] = []
  const lines: number[] = []
  let body = ''
  const emit = (code: string, first: number, last: number): void => {
    body += `${code}\n`
    code.split('\n').forEach((_, index) => lines.push(Math.min(first + index, last)))
  }
  const place = new Cursor(source)
  let afterStatement = false
  for (const item of (plain ? plainEta : eta).parse(source)) {
    if (typeof item === 'string') {
      const next = place.lineOfNextTag()
      const text = plain && afterStatement ? item.replace(/^\\n/, '') : item
      // Statements of neighbouring tags may belong together, so the line is noted inside ours.
      emit(`__out+=(__self.line=${next},'${safeText(text)}');`, place.line, next)
    } else {
      afterStatement = item.t === 'e'
      const line = place.enterTag()
      tags.push({ content: item.val, line })
      emit(tagCode(item.t, item.val, line), line, line + newlines(item.val))
      place.leaveTag(item.val)
    }
  }
  const used = (name: string): boolean =>
    tags.some(({ content }) => new RegExp(`\\b${name}\\b`).test(content))
  const layoutLine = tags.find(({ content }) => /\blayout\s*\(/.test(content))?.line
  const lastLine = source.split('\n').length
  return {
    code: `${prologue(used)}\n${body}${epilogue(used)}`,
    lineOf: (generated) =>
      generated === 1 ? null : (lines[generated - 2] ?? layoutLine ?? lastLine),
    references: tags.flatMap(referencesIn),
  }
}

interface Tag {
  readonly content: string
  readonly line: number
}

/** Walks the source tag by tag, beside the parser, which does not say where a tag's code begins. */
class Cursor {
  readonly #source: string
  #position = 0
  line = 1

  constructor(source: string) {
    this.#source = source
  }

  lineOfNextTag(): number {
    const open = this.#source.indexOf('<%', this.#position)
    return this.line + newlines(this.#source.slice(this.#position, Math.max(open, this.#position)))
  }

  enterTag(): number {
    this.#advance(this.#source.indexOf('<%', this.#position))
    this.#skip(/<%[-_]?\s*[=~]?\s*/y)
    return this.line
  }

  leaveTag(content: string): void {
    this.#advance(this.#position + content.length)
    this.#skip(/\s*[-_]?%>/y)
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#position
    this.#advance(this.#position + (pattern.exec(this.#source)?.[0].length ?? 0))
  }

  #advance(to: number): void {
    this.line += newlines(this.#source.slice(this.#position, to))
    this.#position = to
  }
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}

function tagCode(kind: string, content: string, line: number): string {
  if (kind === 'e') return content
  const expression = content.replace(/;+$/, '')
  // `block('x', () => {` goes on in the next tags: it cannot be wrapped.
  if (kind === 'r' && expression.endsWith('{')) return `__out+=${expression}`
  const value = `(__self.line=${line},${expression}\n)??''`
  return kind === 'r' ? `__out+=${value};` : '__out+=__escape(`${' + value + '}`);'
}

// V8 counts these two as line ends, the template's author does not.
function safeText(text: string): string {
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

// All on one line: generated line 1 is ours, the template starts on line 2.
function prologue(used: (name: string) => boolean): string {
  const blocks = used('block')
  return [
    `'use strict';let __out='',__layout,__layoutData;const __escape=__views.escape;`,
    used('include') &&
      'const include=(name,data)=>__views.include(__self,name,{...it,...data},__blocks);',
    used('layout') && 'const layout=(name,data)=>{__layout=name;__layoutData=data};',
    used('output') && 'const output=(text)=>{__out+=text};',
    (blocks || used('capture')) &&
      `const capture=(fn)=>{const kept=__out;__out='';try{fn();return __out}finally{__out=kept}};`,
    blocks &&
      'const __own=new Map(),block=(name,fn)=>{' +
        `if(__layout!==undefined){if(fn)__own.set(name,capture(fn));return ''}` +
        `return __blocks?.get(name)??(fn?capture(fn):'')};`,
  ]
    .filter((part) => part !== false)
    .join('')
}

function epilogue(used: (name: string) => boolean): string {
  if (!used('layout')) return 'return __out'
  // The page's blocks win over those of a layout between it and the outermost one.
  const blocks = used('block') ? 'new Map([...__own,...__blocks??[]])' : '__blocks'
  const data = '{...it,...__layoutData,body:__out}'
  return `return __layout===undefined?__out:__views.include(__self,__layout,${data},${blocks})`
}

function referencesIn({ content, line }: Tag): TemplateReference[] {
  const code = content.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const calls = code.matchAll(/\b(?:include|layout)\(\s*(['"`])([^'"`$\\]+)\1\s*[,)]/g)
  return [...calls].flatMap(([, , name]) => (name === undefined ? [] : [{ name, line }]))
}
