import { formatPhone } from '../format/phone.ts'

export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={`tel:${phone}`} className="rounded-sm whitespace-nowrap text-accent tabular hover:underline">
      {formatPhone(phone)}
    </a>
  )
}
