import { peopleRoutes } from './admin/people-routes.ts'
import { serviceKeyRoutes } from './admin/service-key-routes.ts'
import { adminAuditRoutes } from './audit/admin-audit-routes.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { recoveryCodeRoutes } from './factors/recovery-code-routes.ts'
import { accountFunctionRoutes } from './functions/account-function-routes.ts'
import { memberRoutes } from './members/member-routes.ts'
import { accountRoutes } from './people/account-routes.ts'
import { clientPeopleRoutes } from './people/client-people-routes.ts'
import { sessionRoutes } from './sessions/session-routes.ts'

// The entry to the accounts: everything that the server mounts of them. open-accounts.ts opens their part of the
// context; server/identity says who a caller is.
export { seedAccounts } from './seed-accounts.ts'
export { listCaptchaSources } from './guards/locate-captcha.ts'
export { CONTACT_CODE_SECONDS, sendContactCode, spendContactCode } from './codes/contact-code.ts'
export { checkCaptcha } from './guards/require-captcha.ts'
export { allowOrigins, allowOriginsOfRows } from './wire/allow-origins.ts'
export { createAuthRouter } from './wire/auth-router.ts'

/** The accounts' rows of the route table, and their server functions of docs/product.md §7. */
export const accountsRoutes = [
  ...accountRoutes,
  ...clientPeopleRoutes,
  ...memberRoutes,
  ...sessionRoutes,
  ...recoveryCodeRoutes,
  ...auditRoutes,
  ...adminAuditRoutes,
  ...peopleRoutes,
  ...serviceKeyRoutes,
  ...accountFunctionRoutes,
]
