import { Banner } from '#web/ui/show/Banner.tsx'

/** Why the service refused, said at once; nothing where it did not. */
export function RefusalText({ text }: { text: string | null }) {
  return text === null ? null : (
    <Banner tone="failure" urgent>
      {text}
    </Banner>
  )
}
