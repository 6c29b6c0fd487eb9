import { adminAdjustmentRoutes } from './market/admin/money/admin-adjustment-routes.ts'
import { adminMoneyRoutes } from './market/admin/money/money-routes.ts'
import { adminSettingsRoutes } from './market/admin/admin-settings-routes.ts'
import { statementRoutes } from './market/statements/statement-routes.ts'
import { adminClientRoutes } from './market/admin/admin-client-routes.ts'
import { clientPageRoutes } from './market/admin/client-page-routes.ts'
import { adminOrderRoutes } from './market/admin/admin-order-routes.ts'
import { adminPriceRoutes } from './market/admin/admin-price-routes.ts'
import { adminSuppressionRoutes } from './market/admin/admin-suppression-routes.ts'
import { analyticsRoutes } from './market/analytics/analytics-routes.ts'
import { changeRoutes } from './changes/change-routes.ts'
import { adminDecisionRoutes } from './market/admin/admin-decision-routes.ts'
import { adminPaymentRoutes } from './market/admin/admin-payment-routes.ts'
import { adminReturnRoutes } from './market/admin/admin-return-routes.ts'
import { adminLeadRoutes } from './leads/admin/admin-lead-routes.ts'
import { adminRevocationRoutes } from './leads/admin/revocation-routes.ts'
import { revocationRoutes } from './leads/revocations/revocation-routes.ts'
import { dataSubjectRoutes } from './leads/admin/data-subject-routes.ts'
import { recallRoutes } from './leads/admin/recall-routes.ts'
import { leadStoryRoutes } from './leads/admin/lead-story-routes.ts'
import { adminAttemptRoutes } from './webhooks/admin/admin-attempt-routes.ts'
import { functionRoutes } from './webhooks/function-routes.ts'
import { accountsRoutes } from './accounts/accounts.ts'
import { dashboardRoutes } from './market/dashboard-routes.ts'
import { overviewRoutes } from './operations/admin/overview/overview-routes.ts'
import { adminOperationsRoutes } from './operations/admin/admin-operations-routes.ts'
import { deliveryLogRoutes } from './webhooks/delivery-log-routes.ts'
import { balanceRoutes } from './market/balance-routes.ts'
import { paymentRoutes } from './market/payments/payment-routes.ts'
import { paymentWebhookRoutes } from './market/payments/payment-webhook-route.ts'
import { clientAccountRoutes } from './market/client-account-routes.ts'
import { exportRoutes } from './exports/export-routes.ts'
import { importRoutes } from './imports/import-routes.ts'
import { ingestRoutes } from './leads/ingest-routes.ts'
import { contactMessageRoutes } from './operations/admin/contact-message-routes.ts'
import { leadListRoutes } from './leads/lead-list-routes.ts'
import { feedRoutes } from './leads/feed-routes.ts'
import { leadRoutes } from './leads/lead-routes.ts'
import { setupRoutes } from './market/setup/setup-routes.ts'
import { describeRoutes } from './http/openapi-route.ts'
import { orderRoutes } from './market/order-routes.ts'
import { outcomeRoutes } from './leads/outcomes/outcome-routes.ts'
import { postingSpecRoutes } from './leads/admin/posting-spec-routes.ts'
import { presetRoutes } from './webhooks/preset-routes.ts'
import { returnRoutes } from './market/return-routes.ts'
import { trustRoutes } from './operations/trust/trust-routes.ts'
import { sourceRoutes } from './leads/admin/source-routes.ts'
import { certificationRoutes } from './webhooks/certification/certification-routes.ts'
import { statusRoutes } from './operations/status/status-routes.ts'
import { lateLeadRoutes } from './market/admin/late-lead-routes.ts'
import { webhookConfigRoutes } from './webhooks/configs/webhook-config-routes.ts'

const described = [
  ...accountsRoutes,
  ...ingestRoutes,
  ...leadListRoutes,
  ...leadRoutes,
  ...outcomeRoutes,
  ...feedRoutes,
  ...leadStoryRoutes,
  ...adminLeadRoutes,
  ...recallRoutes,
  ...dataSubjectRoutes,
  ...revocationRoutes,
  ...adminRevocationRoutes,
  ...certificationRoutes,
  ...webhookConfigRoutes,
  ...presetRoutes,
  ...deliveryLogRoutes,
  ...adminAttemptRoutes,
  ...sourceRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...postingSpecRoutes,
  ...returnRoutes,
  ...adminReturnRoutes,
  ...orderRoutes,
  ...adminOperationsRoutes,
  ...overviewRoutes,
  ...contactMessageRoutes,
  ...statusRoutes,
  ...adminClientRoutes,
  ...adminAdjustmentRoutes,
  ...adminMoneyRoutes,
  ...adminSettingsRoutes,
  ...clientPageRoutes,
  ...adminPriceRoutes,
  ...lateLeadRoutes,
  ...adminOrderRoutes,
  ...adminSuppressionRoutes,
  ...functionRoutes,
  ...dashboardRoutes,
  ...setupRoutes,
  ...analyticsRoutes,
  ...adminDecisionRoutes,
  ...changeRoutes,
  ...clientAccountRoutes,
  ...balanceRoutes,
  ...paymentRoutes,
  ...statementRoutes,
  ...adminPaymentRoutes,
  ...paymentWebhookRoutes,
  ...trustRoutes,
]

/** THE TABLE: every call of the API and who may make it (docs/contract.md §4, §5). */
export const apiRoutes = [...described, describeRoutes(described)]
