import { ObservabilityRoutes } from 'framework/http'
import { Home } from './home.ts'
import { Ledger } from './ledger.ts'

export const manifest = [Home, Ledger, ObservabilityRoutes]
