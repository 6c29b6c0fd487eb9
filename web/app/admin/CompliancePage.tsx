import { RevocationsPanel } from '#web/leads/admin/revocations/RevocationsPanel.tsx'
import { PersonPanel } from '#web/leads/admin/person/PersonPanel.tsx'
import { SuppressionPanel } from '#web/market/admin/suppression/SuppressionPanel.tsx'

/** Revocations of consent, requests of persons, and the list of those who are never sold. */
export function CompliancePage() {
  return (
    <>
      <RevocationsPanel />
      <PersonPanel />
      <SuppressionPanel />
    </>
  )
}
