import type { CardPart } from './table-column.ts'

/**
 * Classes that place a cell when its row is a card: a wrapping line, with a break (order 5, on the row) after
 * the first part.
 */
export const CARD_PART: Readonly<Record<CardPart, string>> = {
  choose: 'cards:order-1',
  // Leaves room for the menu beside a long status, and for the name if the text is enlarged.
  who: 'cards:order-2 cards:max-w-none! cards:min-w-0! cards:flex-1 cards:basis-[max(40%,6rem)]',
  how: 'cards:order-3 cards:max-w-full',
  // The menu stays in view while the columns scroll.
  menu: 'sticky right-0 bg-(--ground) text-right group-hover:bg-hover cards:static cards:order-4 cards:-my-1 cards:ml-auto cards:bg-transparent',
  when: 'cards:order-6 cards:max-w-full cards:text-xs cards:text-muted cards:[&_time]:whitespace-normal',
  brief: 'cards:order-7 cards:max-w-full cards:min-w-0 cards:text-xs',
  figure:
    'cards:order-8 cards:flex! cards:max-w-full cards:min-w-0 cards:flex-wrap cards:items-baseline cards:gap-x-1.5 cards:text-xs cards:card-label',
  note: 'cards:order-9 cards:max-w-full! cards:min-w-0! cards:basis-full',
  actions:
    'cards:order-10 cards:flex cards:basis-full cards:flex-wrap cards:gap-2 cards:pt-1 cards:text-left cards:[&_button:not(.bg-accent)]:border cards:[&_button]:border-line-strong',
  aside: 'cards:hidden',
}
