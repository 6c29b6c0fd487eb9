import { LeadPrices } from './LeadPrices.tsx'
import { LeadTypes } from './LeadTypes.tsx'

export function PricesPanel() {
  return (
    <div className="flex flex-col gap-6">
      <LeadTypes />
      <LeadPrices />
    </div>
  )
}
