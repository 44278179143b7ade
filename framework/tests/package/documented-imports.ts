import type { CodeBlock } from './code-blocks.ts'

/** An import of the package in a block: the module and a name. */
export function importsIn({ code }: CodeBlock): [module: string, name: string][] {
  const statements = code.matchAll(/import (?:type )?\{([^}]+)\} from '(framework(?:\/\w+)?)'/g)
  return [...statements].flatMap(([, names = '', module = '']) =>
    names
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as \w+$/, ''),
      )
      .filter((name) => name !== '')
      .map((name): [string, string] => [module, name]),
  )
}
