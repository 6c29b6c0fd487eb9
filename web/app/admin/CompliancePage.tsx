import { PersonPanel } from '#web/leads/admin/person/PersonPanel.tsx'
import { SuppressionPanel } from '#web/market/admin/suppression/SuppressionPanel.tsx'

/** Requests of persons, and the list of those who are never sold. */
export function CompliancePage() {
  return (
    <>
      <PersonPanel />
      <SuppressionPanel />
    </>
  )
}
