import { Account } from './account.ts'
import { Api } from './api.ts'
import { Pages } from './pages.ts'

export const manifest = [Pages, Account, Api]
