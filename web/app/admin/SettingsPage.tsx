import { SettingsPanel } from '#web/market/admin/settings/SettingsPanel.tsx'
import { IncidentsPanel } from '#web/operations/incidents/IncidentsPanel.tsx'

/** The settings of the marketplace, and the incidents of the public status page. */
export function SettingsPage() {
  return (
    <div className="flex flex-col gap-6">
      <SettingsPanel />
      <IncidentsPanel />
    </div>
  )
}
