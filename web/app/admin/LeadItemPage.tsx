import { AdminLeadPage } from '#web/leads/admin/story/AdminLeadPage.tsx'
import { AttemptPanel } from '#web/webhooks/attempt/AttemptPanel.tsx'

/** One lead of the administration, with the attempts that webhooks show. */
export function LeadItemPage() {
  return <AdminLeadPage renderAttempt={(id, close) => <AttemptPanel logId={id} onClose={close} />} />
}
