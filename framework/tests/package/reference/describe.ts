import {
  isAsExpression,
  isCallExpression,
  isClassDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isSpreadAssignment,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  isVariableStatement,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { Expression, Node, SourceFile } from 'typescript/unstable/ast'

/** A member of a class, an interface or an object: its code and its description. */
export interface Member {
  readonly signature: string
  readonly meaning: string
}

/** A declaration as the reference shows it. */
export interface Description {
  readonly kind: 'class' | 'function' | 'interface' | 'type' | 'const'
  /** One line of code; empty if the members say everything. */
  readonly signature: string
  readonly meaning: string
  readonly members: readonly Member[]
}

/** Describes a declaration by its code and comments. */
export function describe({
  ast,
  node,
}: {
  readonly ast: SourceFile
  readonly node: Node
}): Description {
  const meaning = commentOf(node, ast)
  if (isClassDeclaration(node)) {
    const members = node.members.filter(isPublic).map((member) => memberOf(member, ast))
    return { kind: 'class', signature: headOf(node, ast), meaning, members }
  }
  if (isInterfaceDeclaration(node)) {
    const members = node.members.map((member) => memberOf(member, ast))
    return { kind: 'interface', signature: headOf(node, ast), meaning, members }
  }
  if (isFunctionDeclaration(node)) {
    return { kind: 'function', signature: signatureOf(node, ast), meaning, members: [] }
  }
  if (isTypeAliasDeclaration(node)) {
    const members = isTypeLiteralNode(node.type)
      ? node.type.members.map((member) => memberOf(member, ast))
      : []
    const signature = members.length > 0 ? '' : bare(textOf(node, ast))
    return { kind: 'type', signature, meaning, members }
  }
  const [declared] = isVariableStatement(node) ? node.declarationList.declarations : []
  if (declared === undefined) throw new Error(`${ast.fileName} declares what has no description`)
  const { type, initializer } = declared
  const members = membersIn(initializer, ast)
  const short = type === undefined ? '' : `: ${textOf(type, ast)}`
  const signature = `const ${textOf(declared.name, ast)}${members.length > 0 ? '' : short}`
  return { kind: 'const', signature, meaning, members }
}

/** The code before the members: `class A extends B`. */
function headOf(
  node: Node & { readonly members: { readonly pos: number } },
  ast: SourceFile,
): string {
  return bare(flat(ast.text.slice(node.getStart(ast), node.members.pos)).replace(/ ?\{$/, ''))
}

function memberOf(member: Node, ast: SourceFile): Member {
  return { signature: signatureOf(member, ast), meaning: commentOf(member, ast) }
}

/** The code without a body or an initial value. */
function signatureOf(node: Node, ast: SourceFile): string {
  const start = node.getStart(ast)
  const end = endOfSignature(node, ast)
  return bare(flat(ast.text.slice(start, end)))
}

function endOfSignature(node: Node, ast: SourceFile): number {
  let end = node.end
  node.forEachChild((child) => {
    if (child.kind === SyntaxKind.Block) end = child.getStart(ast)
  })
  if (isPropertyDeclaration(node) && node.initializer !== undefined && node.type !== undefined) {
    return node.type.end
  }
  return end
}

/** The members of a frozen or constant object. */
function membersIn(value: Expression | undefined, ast: SourceFile): Member[] {
  if (value === undefined) return []
  if (isAsExpression(value)) return membersIn(value.expression, ast)
  if (isCallExpression(value) && textOf(value.expression, ast) === 'Object.freeze') {
    return membersIn(value.arguments[0], ast)
  }
  if (!isObjectLiteralExpression(value)) return []
  return value.properties.map((property) => {
    const short = isPropertyAssignment(property) ? property.initializer : null
    const code = short === null ? signatureOf(property, ast) : textOf(property, ast)
    const name = isSpreadAssignment(property) ? code : textOf(property.name, ast)
    const signature = code.length > 80 ? name : code
    return { signature, meaning: commentOf(property, ast) }
  })
}

/** Whether a node is no private member of a class. */
export function isPublic(member: Node): boolean {
  if ('name' in member && isNode(member.name) && member.name.kind === SyntaxKind.PrivateIdentifier)
    return false
  if (member.kind === SyntaxKind.ClassStaticBlockDeclaration) return false
  if (!('modifiers' in member) || !Array.isArray(member.modifiers)) return true
  return !member.modifiers.some(
    ({ kind }) => kind === SyntaxKind.PrivateKeyword || kind === SyntaxKind.ProtectedKeyword,
  )
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** The last comment before a node on one line, including what it throws and its default. */
function commentOf(node: Node, ast: SourceFile): string {
  const before = ast.text.slice(node.pos, node.getStart(ast))
  const comment = [...before.matchAll(/\/\*\*([^]*?)\*\//g)].at(-1)?.[1] ?? ''
  return comment
    .replaceAll(/^\s*\* ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('@throws', 'Throws')
    .replaceAll('@default', 'Default:')
    .trim()
}

function textOf(node: Node, ast: SourceFile): string {
  return flat(ast.text.slice(node.getStart(ast), node.end))
}

function bare(code: string): string {
  return code
    .replace(/^(?:(?:export|declare|async|readonly|public|override) )+/, '')
    .replace(/[,;]$/, '')
}

function flat(text: string): string {
  return text
    .replaceAll(/\/\*\*[^]*?\*\//g, '')
    .replaceAll(/\/\/.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/([([{<]) (?=\S)(?![^{]*\})/g, '$1')
    .replaceAll(/,? ([)\]>])/g, '$1')
    .trim()
}
