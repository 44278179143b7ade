import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'

/** A mention of a `framework` command in the documentation. */
export interface Mention {
  readonly page: string
  /** The words after `framework`. */
  readonly words: readonly string[]
}

/** Every `framework …` in code style on the pages of a folder. */
export function commandMentions(folder: string, pages: readonly string[]): Mention[] {
  return globSync([...pages], { cwd: folder })
    .toSorted()
    .flatMap((page) => {
      const text = readFileSync(join(folder, page), 'utf8')
      const inline = [...text.matchAll(/`(?:npx )?framework ([^`\n]+)`/g)]
      const typed = [...text.matchAll(/^ *npx (?:--yes --package \S+ )?framework ([^#\n]+)/gm)]
      return [...inline, ...typed].map(([, words = '']) => ({
        page,
        words: words.trim().split(/ +/),
      }))
    })
}

/** Why the command line would reject a mention, or null. */
export function objectionTo({ page, words }: Mention, program: Command): string | null {
  let command = program
  const rest = [...words]
  for (;;) {
    const next = command.commands.find((candidate) => candidate.name() === rest[0])
    if (next === undefined) break
    command = next
    rest.shift()
  }
  // What follows belongs to a command of the project.
  if (command.name() === 'run' && command.parent === program) return null
  const [word = '--'] = rest
  // `framework help` is created on demand; the others are placeholders.
  if (command.commands.length > 0 && !/^(?:help$|…|<|--)/.test(word)) {
    return `${page}: there is no command ${word}`
  }
  const known = new Set([...command.options, ...program.options].map(({ long }) => long))
  const unknown = rest.filter((word) => word.startsWith('--') && !known.has(word))
  if (unknown.length > 0) return `${page}: ${command.name()} takes no ${unknown.join(', ')}`
  const { argChoices: choices = [] } = command.registeredArguments[0] ?? {}
  if (choices.length === 0 || rest[0] === undefined || rest[0].startsWith('--')) return null
  return choices.includes(rest[0]) ? null : `${page}: ${command.name()} takes no ${rest[0]}`
}

/** Every runnable command below a program, by its full name. */
export function leafCommands(program: Command, above = ''): [words: string, command: Command][] {
  return program.commands.flatMap((command): [string, Command][] => {
    const words = `${above}${command.name()}`
    return command.commands.length === 0 ? [[words, command]] : leafCommands(command, `${words} `)
  })
}
