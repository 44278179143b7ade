// Imported before a program, this makes its Node one that lacks a field which the HTTP engine wants.

const http = process.getBuiltinModule('node:http')
const { ServerResponse } = http

class Lacking extends ServerResponse {
  constructor(...parameters: ConstructorParameters<typeof ServerResponse>) {
    super(...parameters)
    Reflect.deleteProperty(this, 'maxRequestsOnConnectionReached')
  }
}

Reflect.set(http, 'ServerResponse', Lacking)
