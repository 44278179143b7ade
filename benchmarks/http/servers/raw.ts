import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { middlewareHeaders, Scenarios } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

// The least a node:http server can do for the scenario: there is no router at all.
const { port, scenario, http } = contestant()
createServer(http, await handlerOf(scenario)).listen(port, '127.0.0.1', ready)

async function handlerOf(scenario: Scenarios): Promise<RequestListener> {
  if (scenario === Scenarios.Param) {
    return (request, response) => send(response, { id: request.url?.slice('/users/'.length) })
  }
  if (scenario === Scenarios.View) {
    const { renderList } = await import('./list-view.ts')
    return (_request, response) => write(response, 'text/html; charset=utf-8', renderList())
  }
  if (scenario === Scenarios.Middlewares) {
    const steps = middlewareHeaders.map((name) => (response: ServerResponse) => {
      response.setHeader(name, '1')
    })
    return (_request, response) => {
      for (const step of steps) step(response)
      send(response, { hello: 'world' })
    }
  }
  return (_request, response) => send(response, { hello: 'world' })
}

function send(response: ServerResponse, value: unknown): void {
  write(response, 'application/json', JSON.stringify(value))
}

function write(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
