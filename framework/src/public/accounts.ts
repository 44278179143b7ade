export type { Accounts, AccountsOf, AccountStores } from '../accounts/module/account-services.ts'
export { accounts, type AccountsModule } from '../accounts/module/accounts-module.ts'
export type { AccountHooks, AccountsOptions } from '../accounts/module/accounts-options.ts'
export { listPlaces, type Place } from '../accounts/module/list-places.ts'
