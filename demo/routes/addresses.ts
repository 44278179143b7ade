import { defineRoutes } from 'framework/http'

/** The addresses of routes by name, in views too: `route('hello', { name: 'Ada' })` is `/hello/Ada`. */
export const route = defineRoutes({
  home: '/',
  hello: '/hello/:name',
  items: '/items', // part: items
})
