const cases = {
  Development: 'development',
  Staging: 'staging',
  Test: 'test',
  Production: 'production',
} as const

/** One of the deployment environments. */
export type Environments = (typeof cases)[keyof typeof cases]

interface EnvironmentsEnumeration extends Readonly<typeof cases> {
  /** The environment with exactly this name; production for anything else. */
  fetch(name: string | undefined): Environments
}

/** The deployment environments. Unknown names resolve to production, the strictest. */
export const Environments: EnvironmentsEnumeration = Object.freeze({
  ...cases,
  fetch(name: string | undefined): Environments {
    return Object.values(cases).find((value) => value === name) ?? cases.Production
  },
})
