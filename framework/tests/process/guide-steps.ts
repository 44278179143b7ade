import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A step that a guide asks its reader to do. */
export type GuideStep = FileStep | ChangeStep | CommandStep

/** A file to write; its block begins with a comment that names it. */
interface FileStep {
  readonly kind: 'file'
  readonly path: string
  readonly text: string
}

/** A file to change: a block of `diff` that begins with `--- <file>`, and `@@` before each place. */
interface ChangeStep {
  readonly kind: 'change'
  readonly path: string
  readonly places: readonly string[]
}

/** Commands to run, and the expected output of the last one if a `text` block follows. */
interface CommandStep {
  readonly kind: 'commands'
  readonly commands: readonly string[]
  readonly shown: readonly string[]
}

/** The steps of a page, in order. */
export function guideSteps(markdown: string): GuideStep[] {
  const steps: GuideStep[] = []
  for (const [, language = '', code = ''] of markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
    const last = steps.at(-1)
    if (language === 'sh') {
      steps.push({ kind: 'commands', commands: linesOf(code), shown: [] })
    } else if (language === 'text' && last?.kind === 'commands') {
      steps.splice(-1, 1, { ...last, shown: linesOf(code) })
    } else {
      steps.push(language === 'diff' ? changeOf(code) : fileOf(code))
    }
  }
  return steps
}

/**
 * Writes or changes a file of the project. `<time>` in a path matches the existing file.
 * @throws Error when the file does not contain the lines of the step, or contains them twice.
 */
export function applyStep(project: string, step: FileStep | ChangeStep): void {
  const file = fileIn(project, step.path)
  if (step.kind === 'file') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, step.text)
    return
  }
  const changed = step.places.reduce(
    (text, place) => {
      const before = side(place, '-')
      const [front, behind, ...more] = text.split(before)
      if (front === undefined || behind === undefined || more.length > 0) {
        const times = behind === undefined ? 0 : more.length + 1
        throw new Error(`${step.path} has ${times} times what the guide changes:\n${before}`)
      }
      return front + side(place, '+') + behind
    },
    readFileSync(file, 'utf8'),
  )
  writeFileSync(file, changed)
}

function fileIn(project: string, path: string): string {
  if (!path.includes('<time>')) return join(project, path)
  const [found = path, ...more] = globSync(path.replace('<time>', '*'), { cwd: project })
  if (more.length > 0) throw new Error(`${path} is more than one file`)
  return join(project, found)
}

function fileOf(code: string): FileStep {
  const [, path, text] = /^(?:\/\/|<!--) (\S+)(?: -->)?\n([^]*)$/.exec(code) ?? []
  if (path !== undefined && text !== undefined) return { kind: 'file', path, text }
  throw new Error(`a block of the guide does not say which file it is:\n${code}`)
}

function changeOf(code: string): ChangeStep {
  const [head = '', ...places] = code.split(/^@@\n/m)
  const [, path] = /^--- (\S+)\n$/.exec(head) ?? []
  if (path !== undefined && places.length > 0) return { kind: 'change', path, places }
  throw new Error(`a change of the guide does not say where it belongs:\n${code}`)
}

/** The lines of a hunk before (`-`) or after (`+`) the change, without their markers. */
function side(place: string, mark: '-' | '+'): string {
  const lines = linesOf(place).filter((line) => [' ', mark].includes(line.charAt(0)))
  return lines.map((line) => `${line.slice(1)}\n`).join('')
}

function linesOf(code: string): string[] {
  return code.split('\n').filter((line) => line !== '')
}
