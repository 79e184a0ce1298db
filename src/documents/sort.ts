/** What a list can be sorted by. */
export const SORT_KEYS = ["updated", "created", "title", "id"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
