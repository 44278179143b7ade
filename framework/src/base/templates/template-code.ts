import { Eta } from 'eta/core'

/** A name that a template has literally, of a view, a route or an asset, and its line. */
export interface TemplateReference {
  readonly name: string
  readonly line: number
}

/** A template compiled to JavaScript, with a mapping of its lines to those of the template. */
export interface TemplateCode {
  /** Body of a function with the parameters `TEMPLATE_PARAMETERS`. */
  readonly code: string
  /** The template line for a line of `code` (from 1), or null for generated code. */
  lineOf(generated: number): number | null
  /** The views it includes by a literal name. */
  readonly references: readonly TemplateReference[]
  /** The literal names that it passes to `route()`. */
  readonly routes: readonly TemplateReference[]
  /** The assets it names literally. */
  readonly assets: readonly TemplateReference[]
  /** The keys of messages that it passes literally to `t()`. */
  readonly messages: readonly TemplateReference[]
}

/** Parameter names of the generated function, in order. */
export const TEMPLATE_PARAMETERS: readonly string[] = ['it', '__views', '__self', '__blocks']

// The parser is Eta's, the code generator is ours: it maps lines at no run-time cost, creates only
// the closures a template uses, and keeps blocks out of `it`, where data from a request could
// replace them with raw HTML.
const eta = new Eta()
// In plain text the line break after a printed value matters; the one after a statement is dropped.
const plainEta = new Eta({ autoTrim: false })

/**
 * Compiles a template's source (with `\n` line ends) to JavaScript. With `plain`, the line break
 * after a printed value is kept.
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
  const cursor = new Cursor(source)
  let afterStatement = false
  for (const item of (plain ? plainEta : eta).parse(source)) {
    if (typeof item === 'string') {
      const next = cursor.lineOfNextTag()
      const text = plain && afterStatement ? item.replace(/^\\n/, '') : item
      // Neighbouring tags may form one statement, so the line is recorded inside this expression.
      emit(`__out+=(__self.line=${next},'${safeText(text)}');`, cursor.line, next)
    } else {
      afterStatement = item.t === 'e'
      const line = cursor.enterTag()
      tags.push({ content: item.val, line })
      emit(tagCode(item.t, item.val, line), line, line + newlines(item.val))
      cursor.leaveTag(item.val)
    }
  }
  const used = (name: string): boolean =>
    tags.some(({ content }) => new RegExp(`\\b${name}\\b`).test(content))
  // Only a call, because a template may well have a variable of that name.
  const callsAsset = tags.some(({ content }) => /(?<!\.)\basset\s*\(/.test(content))
  const layoutLine = tags.find(({ content }) => /\blayout\s*\(/.test(content))?.line
  const lastLine = source.split('\n').length
  // A view may have a variable of that name, so the function is in a scope around it.
  const outer = [
    tags.some(({ content }) => /(?<![.\w$])route\s*\(/.test(content)) &&
      'const route=(...given)=>it.route(...given);',
    tags.some(({ content }) => /(?<![.\w$])t\s*[.(]/.test(content)) && 'const t=it.t;',
  ].filter((part) => part !== false)
  const isInner = outer.length > 0
  const opened = `${prologue(used, callsAsset)}${outer.join('')}${isInner ? '{' : ''}`
  return {
    code: `${opened}\n${body}${epilogue(used)}${isInner ? '}' : ''}`,
    lineOf: (generated) =>
      generated === 1 ? null : (lines[generated - 2] ?? layoutLine ?? lastLine),
    references: tags.flatMap((tag) => literalsIn(tag, 'include|layout')),
    routes: tags.some(({ content }) => ownRoute.test(content))
      ? []
      : tags.flatMap((tag) => literalsIn(tag, 'route')),
    assets: tags.flatMap((tag) => literalsIn(tag, 'asset')),
    messages: tags.flatMap((tag) => literalsIn(tag, String.raw`t(?:\.html)?`)),
  }
}

interface Tag {
  readonly content: string
  readonly line: number
}

/** Follows the parser through the source, as it does not say where a tag's code begins. */
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
  // `block('x', () => {` continues in the next tags and cannot be wrapped.
  if (kind === 'r' && expression.endsWith('{')) return `__out+=${expression}`
  const value = `(__self.line=${line},${expression}\n)??''`
  return kind === 'r' ? `__out+=${value};` : '__out+=__escape(`${' + value + '}`);'
}

// V8 counts these two as line ends, template authors do not.
function safeText(text: string): string {
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

// All on one line, so that the template starts on line 2 of the generated code.
function prologue(used: (name: string) => boolean, callsAsset: boolean): string {
  const blocks = used('block')
  return [
    `'use strict';let __out='',__layout,__layoutData;const __escape=__views.escape;`,
    callsAsset && 'const asset=__views.asset;',
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

/** A variable of the template. */
const ownRoute = /\b(?:const|let|var|function)\b[^=;]*\broute\b/

function literalsIn({ content, line }: Tag, functions: string): TemplateReference[] {
  const code = content.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const call = String.raw`(?<![.$])\b(?:${functions})\(\s*(['"\`])((?:(?!\1)[^$\\])+)\1\s*[,)]`
  const calls = code.matchAll(new RegExp(call, 'g'))
  return [...calls].flatMap(([, , name]) => (name === undefined ? [] : [{ name, line }]))
}
