// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { defineProject, env, scope } from '../../src/public/framework.ts'
import { routeSet } from '../../src/public/http.ts'

const shop = scope('shop', { shelves: env.integer('SHELVES', { default: 1, meaning: 'x' }) })
const Shelves = routeSet<{ shelves: number }>('Shelves', () => {})
const Open = routeSet<unknown>('Open', () => {})

// Routes get what services() returns, and the configs are typed by their scopes.
defineProject({
  name: 'shop',
  configs: { shop },
  services: ({ configs }) => ({ shelves: configs.shop.shelves }),
  routes: [Shelves, Open],
  banner: ({ shelves }) => [{ label: 'shelves', value: shelves.toFixed() }],
})

defineProject({ name: 'shop', routes: [Open] })

// @ts-expect-error the services lack what a route set asks for
defineProject({ name: 'shop', services: () => ({ tables: 1 }), routes: [Shelves] })

// @ts-expect-error the service is of another type
defineProject({ name: 'shop', services: async () => ({ shelves: 'x' }), routes: [Shelves] })

defineProject({
  name: 'shop',
  configs: { shop },
  // @ts-expect-error the scope has no such value
  services: ({ configs }) => ({ shelves: configs.shop.tables }),
  routes: [Open],
})

// Sweeps come from the services, under any name.
const tokens = { sweep: () => Promise.resolve(0) }
defineProject({
  name: 'shop',
  services: () => ({ tokens, shelves: 1 }),
  routes: [Open],
  sweeps: (services) => ({ links: services.tokens }),
})

defineProject({
  name: 'shop',
  services: () => ({ tokens, shelves: 1 }),
  routes: [Open],
  // @ts-expect-error a number cannot be swept
  sweeps: ({ shelves }) => ({ shelves }),
})
