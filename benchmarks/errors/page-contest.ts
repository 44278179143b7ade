import { utimesSync } from 'node:fs'
import { failingOrders } from './failing-orders.ts'
import { checkPage, labels, loadRenderer, Renderers } from './renderers.ts'
import { type Entrant, type Series, takeTurns, type Turns } from './turns.ts'

/** The pages of one renderer, warm. */
export interface PageScore {
  readonly renderer: Renderers
  /** The same place fails over and over, with a fresh error each time. */
  readonly again: Series
  /** The file that throws was written anew before each failure. */
  readonly edited: Series
  readonly bytes: number
}

const thrower = `${import.meta.dirname}/application/card-gateway.ts`

/** Lets the renderers make pages of the same errors, round by round in this process. */
export async function playPages(turns: Turns): Promise<readonly PageScore[]> {
  const renderers = await Promise.all(Object.values(Renderers).map(pageEntrants))
  const entrants = renderers.flatMap(({ again, edited }) => [again, edited])
  const series = await takeTurns('pages', entrants, turns)
  return renderers.map(({ renderer, bytes }, at) => ({
    renderer,
    bytes,
    again: series[2 * at] ?? nothing,
    edited: series[2 * at + 1] ?? nothing,
  }))
}

const nothing: Series = { label: 'nobody', samples: [] }

interface PageEntrants {
  readonly renderer: Renderers
  readonly again: Entrant
  readonly edited: Entrant
  readonly bytes: number
}

async function pageEntrants(renderer: Renderers): Promise<PageEntrants> {
  const render = await loadRenderer(renderer)
  const entrant = (suffix: string, before: () => void): Entrant => {
    let errors: readonly Error[] = []
    return {
      label: `${labels[renderer]}${suffix}`,
      async prepare(count) {
        errors = await failingOrders(count)
      },
      async burst() {
        for (const error of errors) {
          before()
          await render(error)
        }
      },
    }
  }
  let bytes = 0
  for (const error of await failingOrders(1)) {
    const html = await render(error)
    checkPage(html, renderer)
    bytes = Buffer.byteLength(html)
  }
  return {
    renderer,
    bytes,
    again: entrant('', () => {}),
    edited: entrant(', after an edit', touch),
  }
}

function touch(): void {
  const now = new Date()
  utimesSync(thrower, now, now)
}
