import type { LeadReturn } from '#core/contract/market/lead-return.ts'

/** Where a request to give a lead back stands, as its client reads it. @param amount of the credit, written out: `$25.00` */
export function describeReturn({ status }: Pick<LeadReturn, 'status'>, amount: string): string {
  switch (status) {
    case 'approved':
      return `Return approved. ${amount} added to your balance.`
    case 'denied':
      return 'Return denied. The lead stays yours.'
    case 'withdrawn':
      return 'Return withdrawn. The lead stays yours.'
    case 'pending':
      return 'Return requested. It is reviewed within 2 business days.'
  }
}
