// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { ApiTokens, Bearer } from '../../src/public/auth.ts'
import type { Credentials } from '../../src/public/auth.ts'
import type { Database } from '../../src/public/database.ts'

declare const database: Database
declare const credentials: Credentials
const tokens = new ApiTokens(database, { scopes: ['items:read', 'items:write'], credentials })
const bearer = new Bearer(tokens, { load: async () => null })

void bearer.scopes('items:read', 'items:write')
// @ts-expect-error the project has no such scope
void bearer.scopes('items:delete')
void tokens.create('7', { name: 'CI', scopes: ['items:read'], ttl: 60 }, { keep: null })
// @ts-expect-error whoever asks is named, or null
void tokens.create('7', { name: 'CI', scopes: ['items:read'], ttl: 60 })
// @ts-expect-error the project has no such scope
void tokens.create('7', { name: 'CI', scopes: ['items:delete'], ttl: 60 }, { keep: null })
// @ts-expect-error every token expires
void tokens.create('7', { name: 'CI', scopes: ['items:read'] }, { keep: null })
