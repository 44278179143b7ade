import { defineRoutes } from 'framework/http'

/** The URLs of routes by name, in views too: `route('home')` is `/`. */
export const route = defineRoutes({
  home: '/',
  members: '/members',
})
