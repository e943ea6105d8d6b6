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
use crate::auth::{authenticate, refuse_bad_tokens};
use crate::graphql;
use crate::rest;
use crate::state::AppState;

/// Every route there is.
pub fn table(routes: &mut ServiceConfig) {
    routes
        // Accounts.
        .service(rest::auth::register_account)
        .service(rest::auth::log_in)
        .service(rest::auth::refresh_tokens)
        .service(rest::auth::log_out)
        .service(rest::auth::ask_for_password_reset)
        .service(rest::auth::confirm_password_reset)
        .service(rest::me::show_me)
        .service(rest::me::change_me)
        .service(rest::me::erase_me)
        .service(rest::vacation::show_vacation)
        .service(rest::vacation::plan_vacation)
        .service(rest::vacation::end_vacation)
        .service(rest::mail::verify_email)
        // The pages that mails lead to.
        .service(rest::mail::show_verification)
        .service(rest::mail::confirm_verification)
        .service(rest::mail::show_reset)
        .service(rest::mail::confirm_reset)
        .service(rest::mail::show_unsubscribe)
        .service(rest::mail::confirm_unsubscribe)
        .service(rest::export::export_me)
        .service(rest::credentials::change_password)
        .service(rest::credentials::list_sessions)
        .service(rest::credentials::end_session)
        .service(rest::credentials::end_other_sessions)
        .service(rest::credentials::make_token)
        .service(rest::credentials::list_tokens)
        .service(rest::credentials::delete_token)
        // Players.
        .service(rest::players::show_player)
        .service(rest::blocks::block_player)
        .service(rest::blocks::unblock_player)
        .service(rest::blocks::list_blocks)
        // Ratings.
        .service(rest::ratings::show::show_ratings)
        .service(rest::ratings::history::list_rating_history)
        .service(rest::ratings::leaderboard::show_leaderboard)
        // Challenges.
        .service(rest::challenges::create::create_challenge)
        .service(rest::challenges::list::list_challenges)
        .service(rest::challenges::show::show_challenge)
        .service(rest::challenges::accept::accept_challenge)
        .service(rest::challenges::refuse::decline_challenge)
        .service(rest::challenges::refuse::withdraw_challenge);
    games(routes);
    routes
        // Events.
        .service(rest::games::events::follow_game)
        .service(rest::events::follow_me)
        .service(rest::events::issue_ticket)
        .service(rest::webhooks::create_webhook)
        .service(rest::webhooks::list_webhooks)
        .service(rest::webhooks::show_webhook)
        .service(rest::webhooks::change_webhook)
        .service(rest::webhooks::delete_webhook)
        .service(rest::push::subscribe_browser)
        .service(rest::push::list_browsers)
        .service(rest::push::unsubscribe_browser)
        .service(rest::push::show_vapid_key)
        // Rules and setups.
        .service(rest::rules::list_rulesets)
        .service(rest::rules::show_rules)
        .service(rest::setups::validate_setup)
        .service(rest::setups::random_setup)
        .service(rest::setups::save_setup)
        .service(rest::setups::list_setups)
        .service(rest::setups::show_setup)
        .service(rest::setups::replace_setup)
        .service(rest::setups::delete_setup)
        // Games of others.
        .service(rest::imports::start_import)
        .service(rest::imports::show_import)
        // GraphQL.
        .service(graphql::http::post_graphql)
        .service(graphql::http::get_graphql)
        .service(graphql::socket::open_socket)
        // Those who administer the server.
        .service(rest::admin::suspend_player)
        .service(rest::admin::unsuspend_player)
        .service(rest::admin::reset_password)
        .service(rest::admin::annul_game)
        .service(rest::admin::show_audit)
        // Statistics.
        .service(rest::statistics::draw_deployment)
        .service(rest::statistics::draw_battles)
        .service(rest::statistics::draw_reveals)
        .service(rest::statistics::draw_information)
        // The server itself.
        .service(rest::health::healthz)
        .service(rest::health::readyz)
        .service(rest::jwks::jwks)
        .service(rest::problems::explain_problem)
        .service(rest::documents::openapi_json)
        .service(rest::documents::docs);
}

/// Those of games.
fn games(routes: &mut ServiceConfig) {
    routes
        .service(rest::games::list::list_games)
        .service(rest::games::list::list_player_games)
        .service(rest::games::show::show_game)
        .service(rest::games::setup::place_setup)
        .service(rest::games::legal_moves::list_legal_moves)
        .service(rest::games::play::play_move)
        .service(rest::games::moves::list_moves)
        .service(rest::games::resign::resign_game)
        .service(rest::games::abort::abort_game)
        .service(rest::games::offers::make_offer)
        .service(rest::games::offers::accept_offer)
        .service(rest::games::offers::decline_offer)
        .service(rest::games::resume::resume_game)
        .service(rest::games::conditional_moves::prepare_moves)
        .service(rest::games::conditional_moves::show_prepared)
        .service(rest::games::conditional_moves::forget_prepared)
        .service(rest::games::rematch::offer_rematch)
        .service(rest::games::notes::show_note)
        .service(rest::games::notes::write_note)
        .service(rest::games::notes::delete_note)
        .service(rest::games::replay::replay_game)
        .service(rest::games::proofs::show_proofs)
        .service(rest::games::why::explain_piece)
        .service(rest::games::board::draw_board)
        .service(rest::games::timeline::draw_timeline)
        .service(rest::games::export::export_game)
        .service(rest::exports::export_games);
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
        .wrap(from_fn(refuse_bad_tokens))
        .wrap(from_fn(middleware::limit_rate))
        .wrap(from_fn(authenticate))
        .wrap(cors)
        .wrap(from_fn(middleware::order_cors_lists))
        .wrap(from_fn(middleware::write_problems))
        .wrap(from_fn(middleware::add_response_headers))
        .wrap(from_fn(middleware::record_metrics))
        .wrap(middleware::request_log())
}
