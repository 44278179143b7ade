// Imported before a program, this simulates a Node that lacks a field which the HTTP engine uses.

const http = process.getBuiltinModule('node:http')
const { ServerResponse } = http

class Lacking extends ServerResponse {
  constructor(...parameters: ConstructorParameters<typeof ServerResponse>) {
    super(...parameters)
    Reflect.deleteProperty(this, 'maxRequestsOnConnectionReached')
  }
}

Reflect.set(http, 'ServerResponse', Lacking)
