import {
  isAsExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isNonNullExpression,
  isTypeAssertion,
  isTypePredicateNode,
} from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { parseTree, placeOf, walk } from './parse-tree.ts'
import type { ParsedFile } from './parse-tree.ts'

/**
 * The allowed casts, by file, each with the reason why it is correct. Everything else must be proved to
 * the compiler by a check at run time.
 */
export const knownCasts: Readonly<Record<string, string>> = {
  'project/command.ts as ValuesOfParameters<Given>':
    'every value is that of the parser of its parameter',
  'settings/scope.ts as ValuesOfScopes<S>': 'a loop has set a value for each key',
  'errors/stack/source-map.ts as SourceMapPayload':
    'anything but a source map throws in the same try',
  'orm/pagination/paginated.ts as readonly Row[]':
    'rows and their type are built from the same columns and relations',
  'database/sql/values/column-readers.ts as MakeRows': 'the function was written as text',
  'orm/repository.ts as AggregateRow<E, Columns, Choices>[]':
    'groups and their type are built from the same columns and choices',
  'orm/repository.ts as AggregateValue<E, A>':
    'the reader of an aggregate returns the type of its column',
  'orm/repository.ts as Soon<Row>':
    'rows and their type are built from the same columns and relations',
  'orm/repository.ts as SelectedRow<Loaded, Columns>[]':
    'rows and their type are built from the same columns and relations',
  'orm/repository.ts as RowOf<E>[]':
    'rows and their type are built from the same columns and relations',
  'accounts/users.ts as Fields': 'the options say which columns there are, and of which kind',
  'accounts/module/accounts-module.ts as AccountsOf<Options, Fields>':
    'its parts and scopes are those of the options',
  'accounts/module/accounts-module.ts as unknown': 'on the way to the type above',
  'cache/cache.ts as JsonOf<Awaited<T>>': 'the JSON is that of the value that `make` returned',
  'events/emitter.ts as EventChannel<PayloadOf<E>> | undefined':
    'a map whose values are typed by their keys',
  'devtools/inspector/record-file.ts as ActivityRecord':
    'only this file writes records, and it replaces files of other versions',
  'devtools/inspector/record-file.ts as ListedRecord': 'as with records',
  'queue/queue.ts as Payload': 'a payload is sealed by the queue that pushed it',
  'tracing/serve-open-telemetry.ts as ReturnType<F>': 'it is the result of a function of type F',
  'project/start/open-project.ts as Project<Services, Configs>':
    'whoever calls it names the types of the project in that folder',
  'project/project.ts as Part': 'an optional part defaults to a type that {} fulfils',
  'http/submissions/first-response.ts as FirstResponse': 'only this file seals them',
}

/** Each cast under `folder` except `as const`, in the form of `knownCasts`. */
export function findCasts(folder: string): string[] {
  const findings: string[] = []
  for (const file of parseTree(folder)) {
    walk(file.ast, (node) => {
      if (isAsExpression(node) || isTypeAssertion(node)) {
        const type = node.type.getText(file.ast).replace(/\s+/g, ' ')
        if (type !== 'const') findings.push(`${file.path} as ${type}`)
      }
      if (isNonNullExpression(node)) findings.push(`${placeOf(file, node)} !`)
    })
  }
  return findings
}

/** Each type guard under `folder` that does not look at its value: a cast in disguise. */
export function findBlindGuards(folder: string): string[] {
  return parseTree(folder).flatMap((file) => {
    const findings: string[] = []
    walk(file.ast, (node) => {
      if (isBlindGuard(node, file)) findings.push(`${placeOf(file, node)} looks at nothing`)
    })
    return findings
  })
}

function isBlindGuard(node: Node, { ast }: ParsedFile): boolean {
  if (!isFunctionLikeDeclaration(node)) return false
  const { type, body } = node
  if (type === undefined || !isTypePredicateNode(type) || body === undefined) return false
  const name = type.parameterName.getText(ast)
  let looks = false
  walk(body, (part) => {
    looks ||= isIdentifier(part)
      ? part.text === name
      : name === 'this' && part.getText(ast) === name
  })
  return !looks
}
