//! The one table of routes. Registering a handler here is also what puts it into the document.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::{App, Error, web};
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;
use utoipa_swagger_ui::{Config as SwaggerConfig, SwaggerUi};

use super::extract::MAX_BODY_BYTES;
use super::{default, middleware};
use crate::auth::authenticate;
use crate::rest;
use crate::state::AppState;

/// Every route there is.
pub fn table(routes: &mut ServiceConfig) {
    routes
        // The server itself.
        .service(rest::health::healthz)
        .service(rest::health::readyz)
        .service(rest::jwks::jwks)
        .service(rest::problems::explain_problem)
        .service(rest::documents::openapi_json)
        .service(rest::documents::docs);
}

/// The whole application: the table, and what every request passes through.
pub fn app(
    state: web::Data<AppState>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let cors = middleware::cors(&state.config.cors_origins);
    let swagger = SwaggerUi::new("/docs/{file:.*}").config(SwaggerConfig::from("/openapi.json"));
    // The last one wrapped sees a request first and its answer last.
    App::new()
        .app_data(state)
        .app_data(web::PayloadConfig::new(MAX_BODY_BYTES))
        .into_utoipa_app()
        .configure(table)
        .into_app()
        .service(swagger)
        .default_service(web::to(default::answer_unmatched))
        .wrap(from_fn(middleware::answer_head_as_get))
        .wrap(from_fn(middleware::refuse_unacceptable))
        .wrap(from_fn(middleware::limit_rate))
        .wrap(from_fn(authenticate))
        .wrap(cors)
        .wrap(from_fn(middleware::write_problems))
        .wrap(from_fn(middleware::add_response_headers))
        .wrap(from_fn(middleware::record_metrics))
        .wrap(middleware::request_log())
}
