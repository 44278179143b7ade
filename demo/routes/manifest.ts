import { Observability } from 'framework/http'
import { Failure } from './failure.ts'
import { Hello } from './hello.ts'
import { Home } from './home.ts'
import { Items } from './items.ts'

/** The route sets that are on: adding a name enables a set, removing it turns the set off. */
export const manifest = [Home, Hello, Items, Failure, Observability]
