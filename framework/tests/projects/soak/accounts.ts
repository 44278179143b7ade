import { accounts as makeAccounts } from 'framework/accounts'

export const accounts = makeAccounts({ activity: true })
