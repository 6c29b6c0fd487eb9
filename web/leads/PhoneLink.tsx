import { formatPhone } from '../format/phone.ts'

export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a
      href={`tel:${phone}`}
      className="-my-1 inline-block rounded-sm py-1 whitespace-nowrap tight:whitespace-normal text-accent tabular hover:underline"
    >
      {formatPhone(phone)}
    </a>
  )
}
