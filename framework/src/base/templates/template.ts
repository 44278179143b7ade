import { compileFunction } from 'node:vm'
import { EtaParseError } from 'eta/core'

import { TemplateError } from './template-error.ts'
import { TEMPLATE_PARAMETERS, templateCode } from './template-code.ts'
import type { TemplateCode } from './template-code.ts'

/** Text that a page hands to its layout, by block name. */
export type Blocks = ReadonlyMap<string, string>

/** The functions that generated code calls. */
export interface TemplateRuntime {
  escape(text: string): string
  asset(name: unknown): string
  include(from: Template, name: unknown, it: object, blocks: Blocks | undefined): string
}

type Run = (it: object, views: TemplateRuntime, self: Template, blocks?: Blocks) => unknown

/** Name, file and text of a template. */
export interface TemplateSource {
  readonly name: string
  readonly file: string
  readonly label: string
  readonly source: string
  /** Whether it renders plain text instead of HTML. */
  readonly plain?: boolean
}

/** A compiled template. */
export class Template implements TemplateSource {
  readonly name: string
  readonly file: string
  readonly label: string
  readonly source: string
  readonly code: TemplateCode
  /** Templates this one has included, by the name it used for them. */
  readonly links: Map<unknown, Template> = new Map<unknown, Template>()
  /** The last line reached, for errors without a stack frame in this template. */
  line = 1
  readonly #run: Run

  /** @throws TemplateError (E_TEMPLATE_COMPILE) */
  constructor({ name, file, label, source, plain = false }: TemplateSource) {
    this.name = name
    this.file = file
    this.label = label
    this.source = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
    this.code = this.#translate(plain)
    this.#run = this.#compile()
  }

  /** @throws TemplateError (E_TEMPLATE_RENDER), naming the innermost template that failed */
  render(it: object, views: TemplateRuntime, blocks?: Blocks): string {
    try {
      const text = this.#run(it, views, this, blocks)
      if (typeof text === 'string') return text
    } catch (error) {
      if (error instanceof TemplateError) throw error
      throw this.failure('E_TEMPLATE_RENDER', this.#lineIn(error) ?? this.line, error)
    }
    const reason = 'the template returned before its end; use if and else instead of return'
    throw this.failure('E_TEMPLATE_RENDER', this.line, undefined, reason)
  }

  /** The error that points at `line` of this template and carries `cause`. */
  failure(
    code: 'E_TEMPLATE_COMPILE' | 'E_TEMPLATE_RENDER',
    line: number,
    cause: unknown,
    reason: string = cause instanceof Error ? cause.message : String(cause),
  ): TemplateError {
    const { file, label, source } = this
    return new TemplateError(code, { file, label, source, line }, reason, { cause })
  }

  #translate(plain: boolean): TemplateCode {
    try {
      return templateCode(this.source, plain)
    } catch (error) {
      if (!(error instanceof EtaParseError)) throw error
      const [, reason, line] = /^(.*?) at line (\d+)/.exec(error.message) ?? []
      throw this.failure('E_TEMPLATE_COMPILE', Number(line ?? 1), error, reason)
    }
  }

  #compile(): Run {
    try {
      const compiled = compileFunction(this.code.code, TEMPLATE_PARAMETERS, {
        filename: this.file,
      })
      if (!isRun(compiled))
        throw new TypeError('the compiled template is not the expected function')
      return compiled
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      // V8 puts `file:line` before the stack of a syntax error.
      const generated = Number(/:(\d+)$/.exec(error.stack?.split('\n', 1)[0] ?? '')?.[1])
      const line = this.code.lineOf(generated) ?? 1
      throw this.failure('E_TEMPLATE_COMPILE', line, error, error.message + this.#hint(error, line))
    }
  }

  #hint(error: SyntaxError, line: number): string {
    if (error.message.includes('end of input')) {
      return ': a block or bracket is opened in a tag and never closed'
    }
    const text = this.source.split('\n')[line - 1] ?? ''
    return /\bawait\b/.test(text) ? ': a view cannot await; pass the value in its data' : ''
  }

  // The stack has the line, so successful renders do not pay for tracking it.
  #lineIn(error: unknown): number | null {
    const stack = error instanceof Error ? error.stack : undefined
    if (typeof stack !== 'string') return null
    for (const frame of stack.split('\n')) {
      const at = /^\s+at /.test(frame) ? frame.lastIndexOf(`${this.file}:`) : -1
      if (at === -1) continue
      const line = this.code.lineOf(Number.parseInt(frame.slice(at + this.file.length + 1), 10))
      if (line !== null) return line
    }
    return null
  }
}

function isRun(value: unknown): value is Run {
  return typeof value === 'function' && value.length === TEMPLATE_PARAMETERS.length
}
