import { failingOrders } from './failing-orders.ts'
import { checkPage, loadRenderer, Renderers } from './renderers.ts'

/** What the first page of a process took. */
export interface ColdPage {
  /** To load the renderer. */
  readonly loadMs: number
  /** To make the first page with it. */
  readonly renderMs: number
}

const name = Object.values(Renderers).find((known) => known === process.argv[2])
if (name === undefined) throw new Error(`expected a renderer, came ${process.argv[2]}`)
const [error] = await failingOrders(1)
if (error === undefined) throw new Error('no order failed')

const beganMs = performance.now()
const render = await loadRenderer(name)
const loadedMs = performance.now()
const html = await render(error)
const renderedMs = performance.now()

checkPage(html, name)
const page: ColdPage = { loadMs: loadedMs - beganMs, renderMs: renderedMs - loadedMs }
console.log(JSON.stringify(page))
