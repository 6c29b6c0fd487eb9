import { UnclearLeads } from '../late/UnclearLeads.tsx'
import { LeadPrices } from './LeadPrices.tsx'
import { LeadTypes } from './LeadTypes.tsx'

export function PricesPanel() {
  return (
    <div className="flex flex-col gap-6">
      <UnclearLeads />
      <LeadTypes />
      <LeadPrices />
    </div>
  )
}
