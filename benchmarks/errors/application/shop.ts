import { Router } from '@koa/router'
import Koa from 'koa'
import { Checkout, type Order } from './checkout.ts'
import { countRequests, loadTenant, openSession, secureHeaders } from './shop-middlewares.ts'

const checkout = new Checkout()

/** A small shop on a neutral framework; every order fails. */
export function shop(failed: (error: unknown) => void): Koa {
  const router = new Router({ prefix: '/shop' })
  router.get('/', (context) => {
    context.body = { open: true }
  })
  router.get('/orders/:number', (context) => {
    context.body = placeOrder(orderOf(Number(context.params['number'])))
  })

  const application = new Koa()
  application.silent = true
  application.on('error', failed)
  application
    .use(countRequests)
    .use(secureHeaders)
    .use(openSession)
    .use(loadTenant)
    .use(router.routes())
    .use(router.allowedMethods())
  return application
}

function placeOrder(order: Order): string {
  return checkout.place(order)
}

function orderOf(number: number): Order {
  return {
    number,
    lines: [
      { article: 'bread', price: 3.2, count: 2 },
      { article: 'rolls', price: 0.45, count: 12 },
    ],
    card: { number: '4000 0000 0000 9995', holder: 'A. Baker', expires: '04/31' },
  }
}
