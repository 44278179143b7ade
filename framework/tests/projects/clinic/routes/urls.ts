import { defineRoutes, resourcePatterns } from 'framework/http'

/** The URLs of routes by name, in views too: `route('home')` is `/`. */
export const route = defineRoutes({
  home: '/',
  ...resourcePatterns('bookings', { only: ['index', 'store'] }),
  day: '/day',
  letter: '/letters/:day/:id<int>',
})
