import { functionRoutes } from '../functions/function-routes.ts'
import { accountFunctionRoutes } from '../functions/account-function-routes.ts'
import { accountRoutes } from './account-routes.ts'
import { adminOperationsRoutes } from './admin-operations-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { deliveryLogRoutes } from './delivery-log-routes.ts'
import { ingestRoutes } from './ingest-routes.ts'
import { leadRoutes } from './lead-routes.ts'
import { describeRoutes } from './openapi-route.ts'
import { presetRoutes } from './preset-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { sourceRoutes } from './source-routes.ts'
import { webhookConfigRoutes } from './webhook-config-routes.ts'

const described = [
  ...accountRoutes,
  ...sessionRoutes,
  ...auditRoutes,
  ...ingestRoutes,
  ...leadRoutes,
  ...webhookConfigRoutes,
  ...presetRoutes,
  ...deliveryLogRoutes,
  ...sourceRoutes,
  ...adminOperationsRoutes,
  ...functionRoutes,
  ...accountFunctionRoutes,
]

/** THE TABLE: every call of the API and who may make it (CONTRACT.md §4, §5). */
export const apiRoutes = [...described, describeRoutes(described)]
