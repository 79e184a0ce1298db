/** Entry point of the HTTP server's bundle. Only commands that serve load it. */

export { apiService } from "./api/service.ts";
export { type Listening, type ListenOptions, listen, type Service } from "./listen.ts";
export { pageService } from "./page/service.ts";
export { checkedToken, tokenIn } from "./token.ts";
