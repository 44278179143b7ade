import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBarrels } from '../barrels.ts'
import { plantTree } from '../planted-tree.ts'
import { referencePages } from './pages.ts'

const framework = join(import.meta.dirname, '..', '..', '..')
const folder = join(framework, '..', 'docs', 'reference')
const pages = referencePages(framework)

test('the reference is up to date; npm run reference updates it', () => {
  assert.deepEqual(globSync('*', { cwd: folder }).toSorted(), [...pages.keys()].toSorted())
  for (const [name, text] of pages) {
    assert.equal(readFileSync(join(folder, name), 'utf8'), text, name)
  }
})

test('every exported name, value or type, is in the reference', () => {
  const missing = [...readBarrels(framework).values()].flatMap(({ subpath, values, types }) => {
    const page = pages.get(`${subpath.replace('framework/', '')}.md`) ?? ''
    return [...values, ...types]
      .filter((name) => !page.includes(`\n## \`${name}\` (`) && !page.includes(`\n## \`${name}.`))
      .map((name) => `${name} of ${subpath}`)
  })
  assert.deepEqual(missing, [])
})

const planted = {
  'src/public/shop.ts': `export { Cart, type CartOptions, Sizes } from '../cart.ts'
export * as Tools from '../tools.ts'
export type { Price } from '../tools.ts'`,
  'src/cart.ts': `import type { Price } from './tools.ts'
interface InnerOptions {}
interface PaperOptions { readonly thick?: boolean }
/** How it is wrapped. */
interface WrapOptions extends PaperOptions { readonly price?: Price }
export interface CartOptions {
  /** The most that fits. @default 10 */
  readonly most?: number
}
/**
 * What somebody wants
 * to buy.
 */
export class Cart extends Basket<string> {
  readonly #items: string[] = []
  private secret = 1
  /** How many there are. */
  get size(): number { return this.#items.length }
  constructor(options: CartOptions = {}, wrap?: WrapOptions) { super(); const inner: InnerOptions = {} }
  /** Adds an item. @throws RangeError when it is full. */
  add(item: string, price: Price | null): this { return this }
  #check(): void {}
}
/** How large. */
export const Sizes = { Small: 's', /** For two. */ Large: 'l' } as const
export type Sizes = (typeof Sizes)[keyof typeof Sizes]`,
  'src/tools.ts': `export type { Price } from './price.ts'
/** Adds up. */
export function sum(): number
export function sum(...prices: number[]): number
export function sum(...prices: number[]): number { return inner() }
function inner(): number { return 0 }`,
  'src/price.ts': `/** In cents. */
export type Price = number | 'free'`,
}

test('a page has the exports with their comments and public members, and the options that they take', (t) => {
  const page = referencePages(plantTree(t, planted)).get('shop.md') ?? ''
  assert.equal(
    page.slice(page.indexOf('## ')),
    `## \`Cart\` (class)

What somebody wants to buy.

\`\`\`
class Cart extends Basket<string>
\`\`\`

| Member | |
|---|---|
| \`get size(): number\` | How many there are. |
| \`constructor(options: CartOptions = {}, wrap?: WrapOptions)\` |  |
| \`add(item: string, price: Price \\| null): this\` | Adds an item. Throws RangeError when it is full. |

## \`CartOptions\` (interface)

| Member | |
|---|---|
| \`most?: number\` | The most that fits. Default: 10 |

## \`Price\` (type)

In cents.

\`\`\`
type Price = number | 'free'
\`\`\`

## \`Sizes\` (const, type)

How large.

| Member | |
|---|---|
| \`Small: 's'\` |  |
| \`Large: 'l'\` | For two. |

\`\`\`
type Sizes = (typeof Sizes)[keyof typeof Sizes]
\`\`\`

## \`Tools.Price\` (type)

In cents.

\`\`\`
type Price = number | 'free'
\`\`\`

## \`Tools.sum\` (function)

Adds up.

\`\`\`
function sum(): number
\`\`\`

\`\`\`
function sum(...prices: number[]): number
\`\`\`

# Options

What the names above take. These have no name to import: TypeScript knows them where they are used.

## \`PaperOptions\` (interface)

| Member | |
|---|---|
| \`thick?: boolean\` |  |

## \`WrapOptions\` (interface)

How it is wrapped.

\`\`\`
interface WrapOptions extends PaperOptions
\`\`\`

| Member | |
|---|---|
| \`price?: Price\` |  |
`,
  )
})

test('a name without a declaration is an error, not an omission', (t) => {
  const tree = { ...planted, 'src/price.ts': '' }
  assert.throws(() => referencePages(plantTree(t, tree)), /price\.ts does not declare Price/)
})
