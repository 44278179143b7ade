import { storageScope } from 'framework/storage'
import { storeScopes } from 'framework/stores'
import { accounts } from '../accounts.ts'
import app from './app/app.config.ts'

/** Every configuration scope of the project, by the name its values have in code. */
export const configs = { ...storeScopes, ...accounts.configs, storage: storageScope, app }

export type Configs = typeof configs
